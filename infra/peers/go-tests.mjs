// Reads what "go test -json" says and tells how many tests ran. A test that failed is shown with its words; a test that
// skipped for want of a peer, named by a variable such as TABLE_ENDPOINT, fails: the section that runs it has started one.
import { createInterface } from "node:readline";

const said = new Map(); // test or package → its output
const ended = { pass: [], fail: [], skip: [] };
const running = new Set(); // what is left here at the end was cut off: by the time limit, or a crash
const parents = new Set(); // tests with subtests: they count by these
const broken = []; // packages that failed, be it to build
for await (const line of createInterface({ input: process.stdin })) {
  if (!line.startsWith("{")) {
    console.log(line);
    continue;
  }
  const { Action, Package, ImportPath, Test, Output } = JSON.parse(line);
  const name = Test ? `${Package} ${Test}` : (Package ?? ImportPath);
  if (Output) said.set(name, (said.get(name) ?? "") + Output);
  if (Test?.includes("/")) parents.add(`${Package} ${Test.slice(0, Test.lastIndexOf("/"))}`);
  if (Test && Action === "run") running.add(name);
  if (Test && Action in ended && running.delete(name)) ended[Action].push(name);
  if (!Test && (Action === "fail" || Action === "build-fail")) broken.push(name);
}

const leaves = (names) => names.filter((name) => !parents.has(name));
const skipped = leaves(ended.skip);
const wanting = skipped.filter((name) => /\b([A-Z]+_ENDPOINT|DUCKDB_PYTHON)\b/.test(said.get(name) ?? ""));
for (const name of [...broken, ...ended.fail, ...running, ...wanting]) console.log(`--- ${name}\n${said.get(name) ?? ""}`);
// The reason stands before the last line, behind the file and line that gave it.
const reason = (name) => said.get(name)?.trim().split("\n").at(-2)?.replace(/^\s*\S+\.go:\d+: /, "") ?? "";
for (const name of skipped) console.log(`   skipped: ${name}: ${reason(name)}`);
const [passed, failed] = [leaves(ended.pass).length, leaves([...ended.fail, ...running]).length + wanting.length];
console.log(`   ${passed} tests passed, ${failed} failed, ${skipped.length} skipped`);
process.exitCode = broken.length || failed || passed === 0 ? 1 : 0;
