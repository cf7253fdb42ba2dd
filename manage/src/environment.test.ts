import { expect, test } from 'vitest'
import { readVariables } from './environment.ts'

test('where no variable is set, it is said that no system runs and how one starts', () => {
  expect(() => readVariables({ PATH: '/bin' }, ['EVENTS_URL'])).toThrow(/npm start.*EVENTS_URL/)
})

test('where some are set, it is said which is missing', () => {
  expect(() => readVariables({ USERS_URL: 'http://u' }, ['EVENTS_URL'])).toThrow(
    /^(?!.*npm start).*EVENTS_URL/s,
  )
})
