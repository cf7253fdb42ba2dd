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

/** An environment whose `docker` command runs this shell script. */
function withDocker(script: string): NodeJS.ProcessEnv {
  writeFileSync(join(folder, 'docker'), `#!/bin/sh\n${script}\n`)
  chmodSync(join(folder, 'docker'), 0o755)
  return { PATH: folder }
}

test('explains how to go on if an image cannot be pulled: its variable, or without Docker', async () => {
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

test('reports Docker’s message if the engine does not answer', async () => {
  const env = withDocker('echo "permission denied while trying to connect to the docker API" >&2; exit 1')

  expect(await findDockerProblem(env)).toContain('permission denied while trying to connect')
  expect(await findDockerProblem(withDocker('exit 0'))).toBeNull()
  expect(await findDockerProblem({ PATH: '' })).toBe('it is not installed')
})
