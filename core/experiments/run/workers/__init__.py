"""Who works cells out: processes of this machine, or a Dask cluster."""
