"""Pictures of lessons: what was predicted beside the result."""
