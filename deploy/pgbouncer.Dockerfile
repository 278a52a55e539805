FROM debian:trixie-slim
RUN apt-get update && apt-get install -y --no-install-recommends pgbouncer && rm -rf /var/lib/apt/lists/*
COPY pgbouncer.ini /etc/pgbouncer/site.ini
USER postgres
CMD printf '"site" "%s"\n' "$DATABASE_PASSWORD" > /tmp/users && exec pgbouncer /etc/pgbouncer/site.ini
