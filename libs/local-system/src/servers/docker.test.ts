import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findDockerProblem, startContainer } from './docker.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tms-docker-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** An environment whose docker runs this shell script. */
function withDocker(script: string): NodeJS.ProcessEnv {
  writeFileSync(join(folder, 'docker'), `#!/bin/sh\n${script}\n`)
  chmodSync(join(folder, 'docker'), 0o755)
  return { PATH: folder }
}

test('an image that cannot be pulled is told with its variable and the way without Docker', async () => {
  const env = withDocker('[ "$1" = pull ] && echo "toomanyrequests: pull rate limit of $2" >&2; exit 1')
  const options = {
    env: { ...env, REDIS_IMAGE: 'mirror.example.com/redis:7' },
    dataDir: folder,
    logDir: folder,
  }

  await expect(startContainer('redis', options)).rejects.toThrow(
    /^The image mirror\.example\.com\/redis:7 of Redis can't be pulled: .*toomanyrequests.* Set REDIS_IMAGE .* REDIS_URL$/,
  )
})

test('an engine that does not answer is told in the words of Docker', async () => {
  const env = withDocker('echo "permission denied while trying to connect to the docker API" >&2; exit 1')

  expect(await findDockerProblem(env)).toContain('permission denied while trying to connect')
  expect(await findDockerProblem(withDocker('exit 0'))).toBeNull()
  expect(await findDockerProblem({ PATH: '' })).toBe('it is not installed')
})
