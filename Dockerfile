# The site in one image: the build stage has everything, the result only Node, the bundle and the content.
FROM node:24-trixie-slim AS build
WORKDIR /site
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund --ignore-scripts
# pg_dump and pg_restore for `npm run backup`, in version 17, which works with PostgreSQL 17 and older.
RUN apt-get update && apt-get install -y --no-install-recommends postgresql-client-17
COPY . .
RUN node scripts/build-if-stale.ts
RUN cp node_modules/@fontsource-variable/geist/LICENSE dist/client/.vite/geist-license.txt
# npm counts packages that developers' tools need, too, as theirs: the list is made where only the site's own are.
RUN mkdir /parts && cp package.json package-lock.json /parts && cd /parts \
  && npm ci --omit=dev --no-audit --no-fund --ignore-scripts && npm pkg delete devDependencies \
  && npm sbom --sbom-format=cyclonedx > /site/dist/sbom.json

FROM node:24-trixie-slim
# The library that pg_dump and pg_restore need; their own package would bring Perl, 50 MB.
RUN apt-get update && apt-get install -y --no-install-recommends libpq5 && rm -rf /var/lib/apt/lists/*
COPY --from=build /usr/share/doc/postgresql-client-17/copyright /usr/share/doc/postgresql-client-17/
COPY --from=build /usr/lib/postgresql/17/bin/pg_dump /usr/lib/postgresql/17/bin/pg_restore /usr/local/bin/
WORKDIR /site
# As basecamp/once expects it: port 80, /up, everything that stays in /storage, and the hooks. Content of your own is
# found in /storage/content.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=80 DATA_DIR=/storage BACKUP_DIR=/storage/backups
# npm would log each command, but the root file system is read-only.
ENV npm_config_cache=/tmp/npm npm_config_update_notifier=false
COPY --from=build /site/dist dist
COPY content content
# For `npm run backup`, `erase-again`, `admin:password`, `db:move` and `doctor`.
COPY package.json .npmrc ./
COPY scripts/with-set-up.mjs scripts/
COPY deploy/hooks /hooks
RUN mkdir /storage && chown node /storage
USER node
VOLUME /storage
EXPOSE 80
# Not /readyz, which is 503 without a database: pages are still served then, and a restart would not help.
HEALTHCHECK CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/up`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/server/server.cjs"]
