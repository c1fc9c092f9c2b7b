"""How a run of the protocol is worked out: cells, plan, learners, workers and store."""
