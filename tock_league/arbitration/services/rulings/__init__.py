"""A ruling is assessed, signed and carried out; suspensions are enforced."""
