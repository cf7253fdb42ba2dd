import { canInstallPackages, findInPath, installPackages } from '@tms/local-system'
import { type Browser, chromium } from 'playwright-core'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
/** No background activity of the browser: it would contact other hosts. */
const QUIET = [
  '--no-first-run',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** A real browser without a window: Chromium, which is installed on Debian if possible. */
export async function openBrowser(): Promise<Browser> {
  const find = () => process.env['CHROMIUM'] ?? findInPath(NAMES, process.env)
  if (find() === null && canInstallPackages(process.env)) await installPackages(['chromium'], process.env)
  const executablePath = find()
  if (executablePath === null) throw new Error('Chromium is needed: install it, or set CHROMIUM to its path')
  // Chromium's sandbox needs a separate user.
  const isRoot = process.getuid?.() === 0
  return chromium.launch({ executablePath, args: [...QUIET, ...(isRoot ? ['--no-sandbox'] : [])] })
}
