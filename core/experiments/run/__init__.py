"""Execution of a run of the protocol: plan, cells, learners, workers and store."""
