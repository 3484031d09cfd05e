"""Tools for authors: texts and notebooks, known answers, proofs, published copies."""
