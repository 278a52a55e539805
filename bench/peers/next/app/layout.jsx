import localFont from 'next/font/local';
import home from '../generated/home.json';
import './globals.css';

const geist = localFont({
  src: '../node_modules/@fontsource-variable/geist/files/geist-latin-wght-normal.woff2',
  weight: '100 900',
  variable: '--font-geist',
});

export const metadata = {
  title: home.title,
  description: home.description,
  icons: ['/pictures/favicon.ico', '/pictures/favicon.svg'],
};

export default function Layout({ children }) {
  return (
    <html lang="en" className={geist.variable}>
      <body>{children}</body>
    </html>
  );
}
