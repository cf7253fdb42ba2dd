import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { QueueStatus } from '@tms/contracts'
import type { TestSystem } from '@tms/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { environmentOf } from '../support/run-manage.ts'

const PROGRAM = fileURLToPath(new URL('../../../manage/dist/main.js', import.meta.url))
/** Some megabytes of JSON: far more than a pipe buffers. */
const QUEUES = 20_000

export const printingTests = (system: () => TestSystem): void => {
  describe('printed output', () => {
    const events = createServer((_request, response) => {
      const queue: QueueStatus = {
        ...{ queue_id: 'of someone', realm_id: 1, user_id: 1, partition: 0 },
        ...{ waiting: 0, acknowledged: 0, ends_at: 0, event_types: null },
      }
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ result: 'success', msg: '', queues: Array(QUEUES).fill(queue) }))
    })
    beforeAll(() => once(events.listen(0, '127.0.0.1'), 'listening'))
    afterAll(() => once(events.close(), 'close'))

    /** By a shell, after some commands. */
    const start = (first = ':', into = '') => {
      const { port } = events.address() as AddressInfo
      const env = { ...environmentOf(system()), EVENTS_URL: `http://127.0.0.1:${port}` }
      const script = `${first}; exec '${process.execPath}' '${PROGRAM}' queues --json ${into}`
      const child = spawn('sh', ['-c', script], { env })
      return { child, stderr: text(child.stderr), ended: once(child, 'close') }
    }

    test('is complete through a pipe', async () => {
      const { child, stderr, ended } = start()

      const { queues } = JSON.parse(await text(child.stdout))
      expect(queues).toHaveLength(QUEUES)
      expect([await ended, await stderr]).toEqual([[0, null], ''])
    })

    test('stops without an error when its reader stops', async () => {
      const { child, stderr, ended } = start()

      await once(child.stdout, 'data')
      child.stdout.destroy()
      expect([await ended, await stderr]).toEqual([[0, null], ''])
    })

    test('is not reported as done if a file has only its beginning', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'tms-printing-'))
      try {
        // As on a disk that becomes full: a part is written, and nothing after it.
        const { stderr, ended } = start('ulimit -f 100', `> '${join(folder, 'queues.json')}'`)

        expect([await ended, await stderr]).toEqual([
          [1, null],
          expect.stringContaining('The result could not be written'),
        ])
      } finally {
        await rm(folder, { recursive: true })
      }
    })
  })
}
