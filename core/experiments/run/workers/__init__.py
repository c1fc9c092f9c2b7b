"""Workers that compute cells: processes on this machine, or a Dask cluster."""
