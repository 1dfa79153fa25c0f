"""Public catalogues of models beside the registries that are imported from them."""
