import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { pickFreePort } from '../process/free-port.ts'
import { runEverything } from './run-everything.ts'
import { parseSettings } from './settings.ts'
import { Terminal } from './terminal.ts'

test('a port in use ends the start before any server is started', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tms-start-'))
  const taken = await pickFreePort()
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(taken, '127.0.0.1', resolve))
  const output = new PassThrough() as unknown as NodeJS.WriteStream
  const settings = parseSettings(['--port', String(taken)], {})

  const start = runEverything(
    settings,
    {
      env: {},
      ...{ repoRoot: folder, dataDir: join(folder, 'data'), logDir: join(folder, 'logs') },
      terminal: new Terminal(output, {}),
      signal: AbortSignal.timeout(30_000),
    },
    {},
  )

  await expect(start).rejects.toThrow(`port ${taken} is taken: choose another with --port`)
  expect(output.read()).toBeNull()
  server.close()
  rmSync(folder, { recursive: true })
})
