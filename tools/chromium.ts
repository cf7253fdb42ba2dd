// A headless Chromium for tools that draw pictures. Build first.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { findInPath } from '../libs/local-system/dist/index.js'

const TIMEOUT_MS = 60_000
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

interface PictureOptions {
  readonly width: number
  readonly height: number
  /** Whether the reader prefers dark colours. */
  readonly isDark?: boolean
}

/** Writes what a page without external resources looks like, as PNG. Throws without Chromium. */
export function takePicture(
  html: string,
  { width, height, isDark = false }: PictureOptions,
  file: string,
): void {
  openPage(html, [
    `--window-size=${width},${height}`,
    `--screenshot=${file}`,
    ...(isDark ? ['--blink-settings=preferredColorScheme=0'] : []),
  ])
}

/** The HTML of a page after its scripts have run. Throws without Chromium. */
export const readPage = (html: string, width: number): string =>
  openPage(html, [`--window-size=${width},1000`, '--dump-dom'])

function openPage(html: string, options: readonly string[]): string {
  const program = process.env.CHROMIUM ?? findInPath(NAMES, process.env)
  if (!program) throw new Error('Chromium draws the pictures: install it, or set CHROMIUM to its path')
  const folder = mkdtempSync(join(tmpdir(), 'tms-picture-'))
  try {
    const page = join(folder, 'page.html')
    writeFileSync(page, html)
    const { status, stdout, stderr } = spawnSync(
      program,
      [
        '--headless',
        '--disable-gpu',
        '--hide-scrollbars',
        '--no-first-run',
        '--disable-background-networking',
        `--user-data-dir=${join(folder, 'profile')}`,
        // Chromium's sandbox doesn't run as root.
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
        ...options,
        pathToFileURL(page).href,
      ],
      { encoding: 'utf8', timeout: TIMEOUT_MS },
    )
    if (status !== 0) throw new Error(`Chromium ended with ${status}:\n${stderr}`)
    return stdout
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
