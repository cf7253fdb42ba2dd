import { expect, test } from 'vitest'
import { readVariables } from './environment.ts'

test('without any variable the error says that no system runs and how to start one', () => {
  expect(() => readVariables({ PATH: '/bin' }, ['EVENTS_URL'])).toThrow(/npm start.*EVENTS_URL/)
})

test('with some variables set the error names the missing ones', () => {
  expect(() => readVariables({ USERS_URL: 'http://u' }, ['EVENTS_URL'])).toThrow(
    /^(?!.*npm start).*EVENTS_URL/s,
  )
})
