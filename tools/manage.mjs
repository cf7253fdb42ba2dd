// `npm run manage`: prepares the checkout, unless its system runs as built, and hands over to manage/.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createProgress, prepareWorkspace, repoRoot } from './bootstrap.mjs'

try {
  // Nothing is rebuilt under a system that runs. What is printed is the command's alone.
  const isRunning = existsSync(join(repoRoot, '.local', 'instance.json'))
  const isBuilt = existsSync(join(repoRoot, 'manage', 'dist', 'index.js'))
  if (!isRunning || !isBuilt) await prepareWorkspace(createProgress(process.stderr))
  const { runToExit, withLocalSystem } = await import('../manage/dist/index.js')
  const env = withLocalSystem(process.env, repoRoot)
  // npm runs this in the checkout; files that are named are where the operator is.
  process.chdir(process.env.INIT_CWD ?? process.cwd())
  await runToExit(process, env)
} catch (err) {
  console.error(err instanceof Error ? err.message : err)
  process.exitCode = 1
}
