// Runs the wasm32 program named on the command line: prints what it says, and exits as it does.
import { readFileSync } from 'node:fs';

const say = (text, bytes) => console.log(Buffer.from(program.exports.memory.buffer, text, bytes).toString());
const { instance: program } = await WebAssembly.instantiate(readFileSync(process.argv[2]), { node: { say } });
process.exitCode = program.exports.main(0, 0);
