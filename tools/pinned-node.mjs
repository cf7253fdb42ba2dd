// Prints the path of the Node.js of `.node-version`, which all programs run on. Installs it first if needed.
// Used by the scripts of package.json: `node=$(node tools/pinned-node.mjs) && exec "$node" tools/start.mjs`.

import { createProgress, prepareNode } from './bootstrap.mjs'

try {
  // Only the path goes to stdout.
  console.log(await prepareNode(createProgress(process.stderr)))
} catch (err) {
  console.error(err instanceof Error ? err.message : err)
  process.exitCode = 1
}
