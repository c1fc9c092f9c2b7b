"""Plotly figures of results: pure functions without Streamlit."""
