import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { environmentOf, runManageHere } from '../support/run-manage.ts'

export const brokenExportTests = (system: () => TestSystem): void => {
  describe('an export from a service that dies', () => {
    /** Returns some records, and exits. */
    const messaging = createServer((_request, response) => {
      response.write('{"kind":"begin","records":5}\n{"kind":"message","id":1}\n', () => response.destroy())
    })
    let folder: string
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'tms-broken-exports-'))
      await once(messaging.listen(0, '127.0.0.1'), 'listening')
    })
    afterAll(async () => {
      await once(messaging.close(), 'close')
      await rm(folder, { recursive: true })
    })

    test('names the service, says what to do, and leaves nothing', async () => {
      const { port } = messaging.address() as AddressInfo
      const env = { ...environmentOf(system()), MESSAGING_URL: `http://127.0.0.1:${port}` }

      expect(await runManageHere(env, ['export', '.', '--output', join(folder, 'x.tar.gz')])).toEqual({
        code: 3,
        stdout: '',
        stderr: expect.stringMatching(
          /^The messaging service closed the connection \(.+\)\. Run the command again when it answers\.\n$/,
        ),
      })
      expect(await readdir(folder)).toEqual([])
    })
  })
}
