package runtimeapi

import (
	"path/filepath"
	"strings"
)

// What a deployment would state here. The account is the one of AWS's own examples.
const (
	region    = "us-east-1"
	accountID = "123456789012"
)

// environment returns Lambda's variables for a custom runtime
// (https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html), without credentials, and then the
// caller's. The last variable of a name wins.
func environment(binary, api string, more []string) []string {
	folder, name := filepath.Split(binary)
	if name == "bootstrap" { // one folder a function
		name = filepath.Base(folder)
	}
	return append([]string{
		"AWS_LAMBDA_RUNTIME_API=" + api,
		"AWS_LAMBDA_FUNCTION_NAME=" + name,
		"AWS_LAMBDA_FUNCTION_MEMORY_SIZE=128",
		"AWS_LAMBDA_FUNCTION_VERSION=$LATEST",
		"AWS_LAMBDA_INITIALIZATION_TYPE=on-demand",
		"AWS_LAMBDA_LOG_GROUP_NAME=/aws/lambda/" + name,
		"AWS_LAMBDA_LOG_STREAM_NAME=local",
		"AWS_EXECUTION_ENV=AWS_Lambda_provided.al2023",
		"AWS_REGION=" + region,
		"AWS_DEFAULT_REGION=" + region,
		"LAMBDA_TASK_ROOT=" + filepath.Clean(folder),
		"LAMBDA_RUNTIME_DIR=/var/runtime",
		"_HANDLER=bootstrap",
		"PATH=/usr/local/bin:/usr/bin:/bin:/opt/bin",
		"LANG=en_US.UTF-8",
		"TZ=:UTC",
	}, more...)
}

// lookup returns the value of a variable. Empty if it is not set.
func lookup(variables []string, name string) string {
	value := ""
	for _, variable := range variables {
		if its, found := strings.CutPrefix(variable, name+"="); found {
			value = its
		}
	}
	return value
}
