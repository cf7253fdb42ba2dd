import { serviceNames } from '../../../tools/service-names.ts'
import type { ComposeProject } from '../support/compose-project.ts'
import { expect } from '../support/steps.ts'

export const IMAGES = [...serviceNames, 'first-organization']
/** How much an image may add to Node's. */
const MAX_MB = 100
/** Packages for building and testing only. */
const DEV_PACKAGES = /^(typescript|jest|@jest\+|vite|vitest|@vitest\+|@biomejs\+|prisma@|oxlint|knip)/

/** Fails if two builds of the same sources differ in a file's content, mode, owner or date. */
export function buildAgain(project: ComposeProject): void {
  const image = 'realm'
  const { Id: first } = project.inspect(image)
  const before = contentsOf(project, image)
  // Compose builds this image by the service that migrates its database.
  project.compose(['build', '--no-cache', 'migrate-realm'], { stdout: 'inherit' })
  expect(project.inspect(image).Id !== first, 'the image was not built again')
  const after = contentsOf(project, image)
  const different = [
    ...[...before].filter((line) => !after.has(line)),
    ...[...after].filter((line) => !before.has(line)),
  ]
  expect(different.length === 0, `${different.length} differ: ${different.slice(0, 5).join('; ')}`)
}

/** The content of the project's folders in an image, a line for each file. */
function contentsOf(project: ComposeProject, image: string): Set<string> {
  const folders = '/app /manage -mindepth 1'
  const list = `find ${folders} -printf '%p %l %M %U:%G %T@\\n'; find ${folders} -type f -exec sha256sum {} +`
  return new Set(project.inImage(image, list))
}

/** Fails if an image runs as root, is too large, lacks labels or a health check, or has packages for developers. */
export function inspectImage(project: ComposeProject, image: string): void {
  const { Labels: labels, Healthcheck: check } = project.inspect(image).Config
  for (const label of ['title', 'version', 'revision', 'vendor'])
    expect(labels?.[`org.opencontainers.image.${label}`], `it has no label ${label}`)
  expect(check || !serviceNames.includes(image), 'it has no health check')
  const [user, size, ...packages] = project.inImage(
    image,
    'id -u; du -cm /app /manage 2>/dev/null | tail -1 | cut -f1; ls node_modules/.pnpm',
  )
  expect(user === '1000', `it runs as user ${user}`)
  expect(Number(size) <= MAX_MB, `it has ${size} MB beside Node's image`)
  const needless = packages.filter((name) => DEV_PACKAGES.test(name))
  expect(needless.length === 0, `it has ${needless.join(', ')}`)
}
