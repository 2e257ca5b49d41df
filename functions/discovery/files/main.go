// Files writes the files of the documentation page to a folder, as a deployment stores them: compressed, and under
// addresses made of their content.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"earshot/functions/discovery"
)

func main() {
	folder := flag.String("folder", "dist/static", "where the static files of a deployment are, by page")
	flag.Parse()
	if err := run(*folder); err != nil {
		fmt.Fprintln(os.Stderr, "files:", err)
		os.Exit(1)
	}
}

func run(folder string) error {
	files, err := discovery.Files()
	if err != nil {
		return fmt.Errorf("%w (the renderer comes by make docs)", err)
	}
	return files.Write(filepath.Join(folder, discovery.StaticFolder))
}
