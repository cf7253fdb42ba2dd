// `npm run manage`: prepares the checkout, unless its system runs, and starts manage/.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createProgress } from './bootstrap/progress.ts'
import { prepareWorkspace } from './bootstrap.ts'
import { repoRoot } from './repo-root.ts'
import { runMain } from './run-main.ts'

await runMain(async () => {
  // Never rebuilds under a running system. Progress goes to stderr: stdout belongs to the command.
  const isRunning = existsSync(join(repoRoot, '.local', 'instance.json'))
  const isBuilt = existsSync(join(repoRoot, 'manage', 'dist', 'index.js'))
  if (!isRunning || !isBuilt) await prepareWorkspace(createProgress(process.stderr))
  const { runToExit, withLocalSystem } = await import('../manage/dist/index.js')
  const env = withLocalSystem(process.env, repoRoot)
  // npm runs this in the checkout; paths of files are relative to the operator's folder.
  process.chdir(process.env.INIT_CWD ?? process.cwd())
  await runToExit(process, env)
  return undefined
})
