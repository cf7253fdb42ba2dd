import { expect, test } from 'vitest'
import { listFiles, read, services } from './support/repository.ts'

/** On one connection a name stands for one statement: a second one fails wherever the first has run before. */
test.each(services)('%s names each of its statements differently', (service) => {
  const files = [...listFiles(`services/${service}/src`), ...listFiles('libs/service-kit/src')]
  const names = files
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap((file) => [...read(file).matchAll(/\bname: '([a-z0-9-]+)',\n\s+text:/g)].map(([, name]) => name))
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})
