import { expect, test } from 'vitest'
import { createProviderFetch } from './provider-fetch.ts'

test.each([
  'http://169.254.169.254/latest/meta-data',
  'http://localhost:5432/',
  'https://[::1]/keys',
  'https://10.0.0.1/keys',
  'https://realm.internal/keys',
])('documents of a public provider do not lead to %s', async (url) => {
  const fetch = createProviderFetch({
    home: 'https://id.example.com',
    name: 'ID',
    timeoutMs: 1_000,
    tls: {},
  })
  const failure = await fetch(url, { method: 'GET', headers: {}, body: null, redirect: 'manual' }).catch(
    (err: unknown) => err,
  )
  expect(failure).toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    cause: { message: expect.stringContaining('is in a private network') },
  })
})
