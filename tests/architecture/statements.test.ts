import { expect, test } from 'vitest'
import { listFiles, read, services } from './support/repository.ts'

/** On one connection a name stands for one statement: a second statement of the same name fails wherever the first one ran. */
test.each(services)('%s gives each of its statements a unique name', (service) => {
  const files = [...listFiles(`services/${service}/src`), ...listFiles('libs/service-kit/src')]
  const names = files
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap((file) => [...read(file).matchAll(/\bname: '([a-z0-9-]+)',\n\s+text:/g)].map(([, name]) => name))
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})
