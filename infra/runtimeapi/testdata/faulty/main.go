// Faulty is a Lambda that does what its event says, or before it asks for one what BEFORE says.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing/iotest"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-lambda-go/lambdacontext"
)

type event struct {
	Do string `json:"do"`
}

func main() {
	switch os.Getenv("BEFORE") {
	case "exit":
		fmt.Fprintln(os.Stderr, "the configuration is missing")
		os.Exit(3)
	case "hang":
		fmt.Println("waiting for nothing")
		time.Sleep(time.Hour)
	case "report":
		body := strings.NewReader(`{"errorType":"Config.Missing","errorMessage":"there is no configuration"}`)
		answer, err := http.Post(
			"http://"+os.Getenv("AWS_LAMBDA_RUNTIME_API")+"/2018-06-01/runtime/init/error",
			"application/json",
			body,
		)
		fmt.Println("reported", answer.Status, err)
		os.Exit(1)
	}
	lambda.Start(handle)
}

func handle(ctx context.Context, asked event) (any, error) {
	switch asked.Do {
	case "fail":
		return nil, errors.New("on purpose")
	case "panic":
		panic("on purpose")
	case "exit":
		fmt.Println("leaving without a word")
		os.Exit(4)
	case "hang":
		fmt.Println("hanging")
		time.Sleep(time.Hour)
	case "child":
		return nil, holdConnection(os.Getenv("HOLD"))
	case "large":
		return strings.Repeat("a", 7<<20), nil
	case "break off":
		return io.MultiReader(strings.NewReader(`{"half":`), iotest.ErrReader(errors.New("the source broke off"))), nil
	case "environment":
		return os.Environ(), nil
	case "context":
		lambda, _ := lambdacontext.FromContext(ctx)
		deadline, _ := ctx.Deadline()
		folder, err := os.Getwd()
		return map[string]string{
			"requestId": lambda.AwsRequestID, "arn": lambda.InvokedFunctionArn, "folder": folder,
			"deadline": deadline.UTC().Format(time.RFC3339Nano), "trace": os.Getenv("_X_AMZN_TRACE_ID"),
		}, err
	}
	return asked, nil
}

// holdConnection starts a process that holds a connection to the address, and this one's output, for an hour.
func holdConnection(address string) error {
	connection, err := net.Dial("tcp", address)
	if err != nil {
		return err
	}
	file, err := connection.(*net.TCPConn).File()
	if err != nil {
		return err
	}
	child := exec.Command("sleep", "3600")
	child.Stdout, child.ExtraFiles = os.Stdout, []*os.File{file}
	return child.Start()
}
