import { expect, test } from 'vitest'
import { readSettings } from './settings.ts'

test('without variables clients use the port that the container listens on', () => {
  const { address, port } = readSettings({})
  expect(address).toEqual({ url: 'http://localhost:8080' })
  expect(port).toBe(8080)
})

test.each([
  ['http://localhost:80', 'http://localhost'],
  ['https://chat.acme.test:443', 'https://chat.acme.test'],
  ['http://localhost:443', 'http://localhost:443'],
])('accepts an address with the default port of its scheme: %s', (address, url) => {
  expect(readSettings({ EXTERNAL_URL: address }).address).toEqual({ url })
})

test.each(['http://localhost:80:80', 'http://localhost:80/', 'https://acme.test:80/chat', 'ws://acme.test'])(
  'rejects an address with a path or an unknown scheme: %s',
  (address) => {
    expect(() => readSettings({ EXTERNAL_URL: address })).toThrow(`EXTERNAL_URL ${address}`)
  },
)

test('reads the address from a file that is written later', () => {
  expect(readSettings({ EXTERNAL_URL_FILE: '/tmp/address' }).address).toEqual({ file: '/tmp/address' })
})

test('takes the organization and its owner from variables', () => {
  const { organization } = readSettings({
    ORGANIZATION_NAME: 'Acme',
    OWNER_EMAIL: 'ann@acme.test',
    OWNER_PASSWORD: 'p',
  })
  expect(organization).toEqual({
    name: 'Acme',
    owner: { email: 'ann@acme.test', fullName: 'Organization Owner', password: 'p' },
  })
})

test('reports all invalid variables at once', () => {
  const wrong = () =>
    readSettings({ PORT: 'many', EXTERNAL_URL: 'http://acme.test/chat', ORGANIZATION_NAME: ' ' })
  for (const name of ['PORT', 'EXTERNAL_URL', 'ORGANIZATION_NAME']) expect(wrong).toThrow(name)
})
