#!/usr/bin/env bash
# with-servers.sh COMMAND…: runs COMMAND with nginx and httpbin at its side, and answers with its exit code.
#
# Both listen on free loopback ports and end when COMMAND ends, however it ends; any number of copies may run at once.
# COMMAND finds them by these variables:
#
#   CONVOY_TEST_CERTIFICATES             the folder that certificates.sh fills
#   CONVOY_TEST_HTTPBIN                  http://127.0.0.1:PORT
#   CONVOY_TEST_NGINX                    http://127.0.0.1:PORT (also at [::1]), HTTP/1.1
#   CONVOY_TEST_NGINX_TLS                https://localhost:PORT, HTTP/2 and HTTP/1.1, TLS 1.2 and 1.3
#   CONVOY_TEST_NGINX_TLS_EXPIRED …_WRONG_HOST …_SELF_SIGNED …_UNTRUSTED    the same, with that certificate
#   CONVOY_TEST_NGINX_UNIX               the path of a Unix domain socket, HTTP/1.1
#
# What nginx answers stands in the configuration below.

# shellcheck source=scripts/common.sh
source "$(dirname "$0")/common.sh"

[ $# -gt 0 ] || fail "usage: scripts/with-servers.sh COMMAND…"
for folder in "$venv" "$certificates" "$files"; do
    [ -f "$folder/stamp" ] || fail "$folder is missing; run: make setup"
done
command -v nginx >/dev/null || fail "nginx is missing; run: make setup"

# What a copy that was killed outright left behind:
for old in "$state"/run/*; do
    [ -d "/proc/${old##*/}" ] || rm -rf "$old"
done
run=${CONVOY_TEST_RUN:-$state/run}/$$    # the benchmarks choose a place in memory
# The system allows a socket's path about 100 bytes, so a checkout that lies deep needs a shorter place for it.
# (${#…} counts characters; C makes them bytes.)
if (LC_ALL=C; [ "${#run}" -ge 80 ]); then run=$(mktemp -d /tmp/convoy.XXXXXX); fi
mkdir -p "$run"
nginx_pid='' httpbin_pid='' command_pid=''

# shellcheck disable=SC2317    # called by the traps below
finish() {
    trap '' INT TERM HUP    # a second Ctrl-C must not leave the servers behind
    stop_servers
    rm -rf "$run"
}
stop_servers() {
    local pid
    for pid in $nginx_pid $httpbin_pid; do
        kill -TERM "$pid" 2>/dev/null || true
        wait "$pid" 2>/dev/null || true
    done
    nginx_pid='' httpbin_pid=''
}
# A signal goes on to COMMAND, whose end then ends the wait below; without one there is nothing to wait for.
# shellcheck disable=SC2317
pass_on() {
    if [ -n "$command_pid" ]; then kill -"$1" "$command_pid" 2>/dev/null || true; else exit "$2"; fi
}
trap finish EXIT
trap 'pass_on INT 130' INT
trap 'pass_on TERM 143' TERM
trap 'pass_on HUP 129' HUP

# MARK: nginx

tls_names=(server expired wrong-host self-signed untrusted)

choose_ports() {
    # Asked all at once, so that no port is given twice.
    read -r -a ports < <("$venv/bin/python" - <<'END'
import socket
sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(7)]
print(*(s.getsockname()[1] for s in sockets))
END
    )
    httpbin_port=${ports[0]} plain_port=${ports[1]} tls_ports=("${ports[@]:2}")
}

write_locations() {
    cat <<END
    root "$files";
    default_type application/octet-stream;
    absolute_redirect off;

    # Static files with lengths and ranges: /1k /64k /1m /10m
    location / {
        try_files \$uri =404;
    }
    location = /stamp {
        return 404;
    }
    location = /gzip {
        default_type text/plain;
        gzip on;
        gzip_types text/plain;
    }
    location = /slow {
        alias "$files/10m";
        limit_rate 1k;
    }
    location = /204 {
        return 204;
    }
    location = /redirect {
        return 302 /1k;
    }
    # What arrived, as nginx saw it: in the header of the answer and in its body
    location = /header {
        default_type text/plain;
        add_header X-Test \$http_x_test always;
        add_header X-Protocol \$server_protocol always;
        add_header X-TLS \$ssl_protocol always;
        return 200 "x-test: \$http_x_test\nprotocol: \$server_protocol\ntls: \$ssl_protocol\n";
    }
    # Reads the whole body and answers with its length. "return" alone would answer before the body is read.
    location = /upload {
        client_max_body_size 2g;
        proxy_pass http://sink;
    }
    # The same, but 413 for a body of more than 1 KiB
    location = /small {
        client_max_body_size 1k;
        proxy_pass http://sink;
    }
END
}

write_configuration() {
    local index name
    cat <<END
daemon off;
worker_processes 1;
pid "$run/nginx.pid";
error_log "$run/nginx.log" warn;
END
    # nginx started by root would otherwise read the files as nobody, who may not get into the checkout.
    [ "$(id -u)" != 0 ] || echo "user root root;"
    cat <<END
events {
    worker_connections 4096;
}
http {
    access_log off;
    keepalive_requests 1000000;
    client_body_temp_path "$run/body";
    proxy_temp_path "$run/proxy";
    fastcgi_temp_path "$run/fastcgi";
    uwsgi_temp_path "$run/uwsgi";
    scgi_temp_path "$run/scgi";
    client_body_buffer_size 1m;
    sendfile on;

    ssl_protocols TLSv1.2 TLSv1.3;
    ssl_session_cache shared:convoy:1m;

    # Where /upload and /small end: nginx has read the body by then, and only tells its length.
    upstream sink {
        server "unix:$run/sink.sock";
    }
    proxy_pass_request_body off;
    proxy_set_header Content-Length "";
    proxy_set_header X-Received \$content_length;
    server {
        listen "unix:$run/sink.sock";
        default_type text/plain;
        location / {
            return 200 "\$http_x_received\n";
        }
    }

    server {
        listen 127.0.0.1:$plain_port;
        listen "unix:$run/nginx.sock";
END
    # Address 1 of IPv6 is there only where the kernel has IPv6 switched on.
    ! grep -qs '^0\{31\}1 ' /proc/net/if_inet6 || echo "        listen [::1]:$plain_port;"
    cat <<END
        include "$run/locations.conf";
    }
END
    for index in "${!tls_names[@]}"; do
        name=${tls_names[index]}
        cat <<END
    server {
        listen 127.0.0.1:${tls_ports[index]} ssl http2;
        ssl_certificate "$certificates/$name.pem";
        ssl_certificate_key "$certificates/$name.key";
        include "$run/locations.conf";
    }
END
    done
    echo "}"
}

# MARK: Starting

# In a session of its own a server does not see the Ctrl-C that is meant for COMMAND, and by its parent-death signal it
# ends even when this script is killed outright.
start() {
    setsid setpriv --pdeathsig TERM "$@" </dev/null 9>&- &
}

start_servers() {
    choose_ports
    write_locations >"$run/locations.conf"
    write_configuration >"$run/nginx.conf"
    start nginx -e "$run/nginx.log" -p "$run" -c "$run/nginx.conf" >"$run/nginx.out" 2>&1
    nginx_pid=$!
    start "$venv/bin/python" -m gunicorn httpbin:app --bind "127.0.0.1:$httpbin_port" --no-control-socket \
        --worker-class gthread --threads 8 --keep-alive 30 --graceful-timeout 1 --worker-tmp-dir "$run" \
        >"$run/httpbin.log" 2>&1
    httpbin_pid=$!
}

# answers NAME PID URL: waits until the server does; fails when it ended instead, or was not up in time.
answers() {
    local deadline=$((SECONDS + 30))
    until curl --silent --fail --noproxy '*' --max-time 5 --output /dev/null "$3"; do
        if ! kill -0 "$2" 2>/dev/null; then problem="$1 ended at once"; return 1; fi
        if [ "$SECONDS" -ge "$deadline" ]; then problem="$1 did not answer within 30 seconds"; return 1; fi
        sleep 0.05
    done
}

# Between choosing a port and listening on it somebody else may take it: then another round, with other ports.
for round in 1 2 3; do
    start_servers
    if answers nginx "$nginx_pid" "http://127.0.0.1:$plain_port/1k" &&
        answers httpbin "$httpbin_pid" "http://127.0.0.1:$httpbin_port/get"; then
        break
    fi
    stop_servers
    if [ "$round" = 3 ] || ! grep -qi 'address already in use' "$run"/*.log; then
        for log in "$run"/nginx.out "$run"/*.log; do
            if [ -s "$log" ]; then quote "$log" 20 >&2; fi
        done
        fail "$problem; its log is above"
    fi
    rm -rf "${run:?}"/*
done

# MARK: Running

export CONVOY_TEST_CERTIFICATES=$certificates
export CONVOY_TEST_HTTPBIN=http://127.0.0.1:$httpbin_port
export CONVOY_TEST_NGINX=http://127.0.0.1:$plain_port
export CONVOY_TEST_NGINX_TLS=https://localhost:${tls_ports[0]}
export CONVOY_TEST_NGINX_TLS_EXPIRED=https://localhost:${tls_ports[1]}
export CONVOY_TEST_NGINX_TLS_WRONG_HOST=https://localhost:${tls_ports[2]}
export CONVOY_TEST_NGINX_TLS_SELF_SIGNED=https://localhost:${tls_ports[3]}
export CONVOY_TEST_NGINX_TLS_UNTRUSTED=https://localhost:${tls_ports[4]}
export CONVOY_TEST_NGINX_UNIX=$run/nginx.sock

# In the background, since Bash runs no trap while it waits for a foreground command; there it would start with Ctrl-C
# ignored and without standard input, hence the env and the <&0.
env --default-signal=INT,QUIT "$@" <&0 &
command_pid=$!
while true; do
    status=0
    wait "$command_pid" || status=$?
    # A signal to us ends the wait too: COMMAND may still be running then.
    kill -0 "$command_pid" 2>/dev/null || break
done
exit "$status"
