"""Pictures of the experiments of the papers, by the name of the experiment."""
