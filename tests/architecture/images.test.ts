import { expect, test } from 'vitest'
import { imageRoots } from '../../tools/image-roots.ts'
import { read, services } from './support/repository.ts'

test('the list of image contents, which is checked for licences, matches the Dockerfile', () => {
  const dockerfile = read('Dockerfile')
  const looped = /for folder in (.+); do/.exec(dockerfile)?.[1]?.split(' ') ?? []
  const single = [...dockerfile.matchAll(/--filter \.\/([\w/-]+) deploy/g)].map(([, folder]) => `${folder}`)
  const folders = [...looped, ...single].flatMap((folder) =>
    folder === 'services/*' ? services.map((name) => `services/${name}`) : [folder],
  )
  expect([...imageRoots].sort()).toEqual(folders.sort())
})

test('images use the Node.js version that everything else runs on', () => {
  const major = read('.node-version').split('.')[0]
  for (const path of ['Dockerfile', 'deploy/compose.yaml']) {
    const named = [...read(path).matchAll(/node:(\d+)/g)].map(([, version]) => version)
    expect([path, new Set(named)]).toEqual([path, new Set([major])])
  }
})
