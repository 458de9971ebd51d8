"""Assessment, signature and execution of rulings; enforcement of suspensions."""
