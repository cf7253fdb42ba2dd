import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { renderTour, tourSteps } from './tour.ts'

const instance = { baseUrl: 'http://127.0.0.1:9991', owner: { email: 'owner@example.com', apiKey: 'KEY' } }

describe('the tour', () => {
  test('is a valid shell script', () => {
    const { status, stderr } = spawnSync('sh', ['-n'], {
      input: renderTour(tourSteps(instance)),
      encoding: 'utf8',
    })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })

  test.each(['{"result":"success","queue_id":"a:1","last_event_id":-1}', '{"x": 1, "queue_id": "a:1"}'])(
    'finds the queue in %s',
    (answer) => {
      const command = tourSteps(instance).find((step) => step.command.includes('QUEUE=$('))?.command ?? ''
      const input = `curl() { printf '%s' '${answer}'; }\n${command}`
      expect(spawnSync('sh', { input, encoding: 'utf8' }).stdout).toBe('queue a:1\n')
    },
  )
})
