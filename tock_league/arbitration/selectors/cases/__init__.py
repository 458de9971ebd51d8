"""Case files, queues of cases, and what a reader may see and do in a case."""
