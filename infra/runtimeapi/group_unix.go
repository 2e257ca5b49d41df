//go:build unix

package runtimeapi

import (
	"os/exec"
	"syscall"
)

// ownGroup starts the process in its own process group, so that its children can be ended with it.
func ownGroup(command *exec.Cmd) { command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup ends the process and the rest of its group.
func killGroup(command *exec.Cmd) { _ = syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }
