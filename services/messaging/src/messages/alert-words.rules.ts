import { caseKey } from '../case-key.ts'
import type { AlertWords } from '../directory/directory.ts'

interface Node {
  readonly next: Map<string, Node>
  readonly userIds: number[]
}

/** Finds whose alert words a text holds. */
export type FindAlerted = (content: string) => number[]

/**
 * Prepares the alert words of an organization. Looking through a text then costs its length times the longest
 * word at worst, however many people watch for how many words.
 */
export function compileAlertWords(watching: readonly AlertWords[]): FindAlerted {
  const root: Node = { next: new Map(), userIds: [] }
  for (const { userId, words } of watching) {
    for (const word of words) add(root, caseKey(word), userId)
  }
  if (root.next.size === 0) return () => []
  return (content) => {
    const text = caseKey(content)
    const found = new Set<number>()
    for (let start = 0; start < text.length; start++) {
      if (!isWithinWord(text, start)) collect(root, text, start, found)
    }
    return [...found].sort((a, b) => a - b)
  }
}

function add(root: Node, word: string, userId: number): void {
  if (word === '') return
  let node = root
  for (const unit of word.split('')) {
    let next = node.next.get(unit)
    if (!next) {
      next = { next: new Map(), userIds: [] }
      node.next.set(unit, next)
    }
    node = next
  }
  node.userIds.push(userId)
}

function collect(root: Node, text: string, start: number, found: Set<number>): void {
  let node: Node | undefined = root
  for (let at = start; node; at++) {
    if (node.userIds.length > 0 && !isWithinWord(text, at)) for (const id of node.userIds) found.add(id)
    node = node.next.get(text.charAt(at))
  }
}

const WORD = /[\p{L}\p{N}\p{M}_]/u

/** Whether the place before `at` lies between two characters of one word. */
function isWithinWord(text: string, at: number): boolean {
  return at > 0 && at < text.length && WORD.test(text.charAt(at - 1)) && WORD.test(text.charAt(at))
}
