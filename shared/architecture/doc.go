// Package architecture tests the layers of the tree: which package may import which, with one reason a rule. It holds
// tests only, and nothing imports it.
package architecture
