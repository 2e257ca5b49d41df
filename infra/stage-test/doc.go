// Package stagetest tests run.sh, which tries a throwaway stage on AWS: that it destroys what it deployed, however it
// ends. In the place of AWS's tools are programs that note what they are asked. It has tests only.
package stagetest
