"""What does every process need? It imports nothing of privaudit."""
