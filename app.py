"""The front door: for a visitor it opens the frame, and ``streamlit run`` finds here the server of all visitors."""

import streamlit as st

if __name__ == "__main__":  # under this name Streamlit runs the script for each visitor
    from pages.shared import frame

    frame.main()
else:
    from pages.shared.server import server

    app = st.App(__file__, lifespan=server.lifespan, routes=server.routes(), middleware=server.MIDDLEWARE)
