// Prints the path of the Node.js that all programs here run on, which `.node-version` names. Installs it first where this is another.
// Used by the scripts of package.json: `node=$(node tools/pinned-node.mjs) && exec "$node" tools/start.mjs`.

import { createProgress, prepareNode } from './bootstrap.mjs'

try {
  // The path alone goes to stdout.
  console.log(await prepareNode(createProgress(process.stderr)))
} catch (err) {
  console.error(err instanceof Error ? err.message : err)
  process.exitCode = 1
}
