import { expect, test } from 'vitest'
import { readSettings } from './settings.ts'

test('without any variables clients use the port that the container listens on', () => {
  const { address, port } = readSettings({})
  expect(address).toEqual({ url: 'http://localhost:8080' })
  expect(port).toBe(8080)
})

test.each([
  ['http://localhost:80', 'http://localhost'],
  ['https://chat.acme.test:443', 'https://chat.acme.test'],
  ['http://localhost:443', 'http://localhost:443'],
])('an address may have the port of its scheme: %s', (given, url) => {
  expect(readSettings({ EXTERNAL_URL: given }).address).toEqual({ url })
})

test.each(['http://localhost:80:80', 'http://localhost:80/', 'https://acme.test:80/chat', 'ws://acme.test'])(
  'but nothing else behind its host: %s',
  (given) => {
    expect(() => readSettings({ EXTERNAL_URL: given })).toThrow(`EXTERNAL_URL ${given}`)
  },
)

test('the address may come from a file that is written later', () => {
  expect(readSettings({ EXTERNAL_URL_FILE: '/tmp/address' }).address).toEqual({ file: '/tmp/address' })
})

test('the organization and its owner are as they are asked for', () => {
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

test('everything that is wrong is named at once', () => {
  const wrong = () =>
    readSettings({ PORT: 'many', EXTERNAL_URL: 'http://acme.test/chat', ORGANIZATION_NAME: ' ' })
  for (const name of ['PORT', 'EXTERNAL_URL', 'ORGANIZATION_NAME']) expect(wrong).toThrow(name)
})
