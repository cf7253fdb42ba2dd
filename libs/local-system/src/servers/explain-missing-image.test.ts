import { describe, expect, test } from 'vitest'
import { explainMissingImage, type MissingImage } from './explain-missing-image.ts'

describe('the error for an image that cannot be pulled', () => {
  const missing: MissingImage = {
    title: 'Redis',
    image: 'redis:7-alpine',
    imageVariable: 'REDIS_IMAGE',
    reason: 'toomanyrequests: You have reached your pull rate limit',
    otherwise: 'go without Docker: install Redis, or set REDIS_URL',
  }

  test('has the engine’s message, the variable for another image, and how to go on without Docker', () => {
    expect(explainMissingImage(missing)).toBe(
      "The image redis:7-alpine of Redis can't be pulled: toomanyrequests: You have reached your pull rate limit. " +
        'Set REDIS_IMAGE to another, such as a copy in a registry that this machine reaches, or one that is built or loaded here ' +
        '(`docker load`); or go without Docker: install Redis, or set REDIS_URL',
    )
  })

  test('says if the registry has the image only for other processors', () => {
    const reason = 'no matching manifest for linux/arm64/v8 in the manifest list entries'
    expect(explainMissingImage({ ...missing, reason })).toContain('one for the processor of this machine')
  })

  test('has the prefix that Testcontainers adds to the name', () => {
    expect(explainMissingImage({ ...missing, namePrefix: 'mirror.example.com' })).toContain(
      'TESTCONTAINERS_HUB_IMAGE_NAME_PREFIX=mirror.example.com',
    )
  })
})
