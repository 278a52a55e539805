/**
 * The one script inside the HTML: a chosen theme is shown before anything is painted, in every tab, and when a page comes
 * back from the browser's memory. A file of its own would be one more request that the first paint waits for
 * (docs/decisions/104-dark.md). The policy names its digest, so that no other script inside the HTML runs.
 */
import { createHash } from 'node:crypto';

/** ui/theme-choice.tsx stores what is chosen and sends the event; without storage this page alone keeps it. */
export const THEME_SCRIPT = `(onstorage=onpageshow=()=>{
  let d=document.documentElement.dataset,t=d.theme;
  try{t=localStorage.theme}catch{}
  d.theme=t||='';
  document.querySelectorAll('[name=theme-color]').forEach((m,i)=>
    m.media=t?t=='light'^i?'all':'not all':\`(prefers-color-scheme:\${i?'dark':'light'})\`)
})()`.replace(/\n */g, '');

export const THEME_SCRIPT_SOURCE = `'sha256-${createHash('sha256').update(THEME_SCRIPT).digest('base64')}'`;
