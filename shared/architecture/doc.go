// Package architecture holds the tree to its layers: which package may lean on which, one reason per line. It has tests only.
package architecture
