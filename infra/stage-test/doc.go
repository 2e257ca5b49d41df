// Package stagetest tests run.sh, which tries a throwaway stage on AWS: the script destroys what it deployed, however
// it ends. Programs that note their calls stand in for AWS's tools. The package has only tests.
package stagetest
