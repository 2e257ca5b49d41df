//go:build !unix

package runtimeapi

import "os/exec"

// ownGroup does nothing where there are no process groups.
func ownGroup(*exec.Cmd) {}

// killGroup ends the process itself.
func killGroup(command *exec.Cmd) { _ = command.Process.Kill() }
