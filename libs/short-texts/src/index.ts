export { renderLetter, renderShortText } from './render-short-text.ts'
