// Package theme reads what posts speak of: their words and terms, what their texts say when signs and case are left
// out, and which of them are together.
//
// The setup engine's sampling imports it.
package theme
