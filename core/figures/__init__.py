"""Results as plotly figures: pure functions, no Streamlit."""
