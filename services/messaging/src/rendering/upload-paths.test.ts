import { expect, test } from 'vitest'
import { readUploadPaths } from './upload-paths.ts'

const RANDOM = '0123456789abcdefABCDEF-_'
const read = (text: string) => [...readUploadPaths(text)]

test.each([
  `/user_uploads/2/ab/${RANDOM}/cat.png`,
  `see https://chat.e.com/user_uploads/2/ab/${RANDOM}/cat.png.`,
  `[my cat](/user_uploads/2/ab/${RANDOM}/cat.png)`,
  `**/user_uploads/2/ab/${RANDOM}/cat.png**`,
  `</user_uploads/2/ab/${RANDOM}/cat%2Epng>`,
])('the path of an upload is found in %j', (text) => {
  expect(read(text)).toEqual([`2/ab/${RANDOM}/cat.png`])
})

test('names are decoded to their stored form', () => {
  const pathId = `2/a/${RANDOM}/Übersicht-1.png`

  expect(read(`/user_uploads/${pathId} and /user_uploads/${encodeURI(pathId)}`)).toEqual([pathId, pathId])
})

test.each([
  'no upload',
  `/user_uploads/2/ab/${RANDOM}`,
  `/user_uploads/2/ab/${RANDOM}/`,
  '/user_uploads/2/ab/short/cat.png',
  `/user_uploads/x/ab/${RANDOM}/cat.png`,
  `/user_uploads/2/ab/${RANDOM}/%E0%A4%A`,
])('%j has none', (text) => {
  expect(read(text)).toEqual([])
})
